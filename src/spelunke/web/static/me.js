// The page of a person: the preferences of this device, and the times of games as they are here.
import "./preferences.js";
import "./bell.js";
import "./local-times.js";
import "./app.js";
