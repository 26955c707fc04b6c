// The script of the front page and of other simple pages: the preferences of this device, and the site as an app.
import "./preferences.js";
import "./bell.js";
import "./app.js";
