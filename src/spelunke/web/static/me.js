// The page of a person, and all pages without an own script: preferences of this device, and localized times.
import "./preferences.js";
import "./bell.js";
import "./local-times.js";
import "./app.js";
