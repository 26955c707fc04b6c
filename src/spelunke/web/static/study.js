// The script of the analysis board and of problems. These pages are links and forms. The script copies a
// link, applies the preferences of this device, and updates the bell's number.
import "./vendor.js";
import "./preferences.js";
import "./bell.js";
import "./copy-link.js";
