// The front page, and other plain pages: the preferences of this device, and the house as an app.
import "./preferences.js";
import "./bell.js";
import "./app.js";
