// The front page, and others that hold nothing of their own: the preferences of this device, and the house as an app.
import "./preferences.js";
import "./bell.js";
import "./app.js";
