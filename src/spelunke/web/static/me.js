// The page of a person: the preferences of this device, and localized times.
import "./preferences.js";
import "./bell.js";
import "./local-times.js";
import "./app.js";
