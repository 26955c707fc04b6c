// The page of a person's settings. It plays a sound as a sample of the chosen volume.
import "./me.js";
import "./sounds.js";
