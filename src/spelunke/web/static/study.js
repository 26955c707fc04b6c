// The script of the analysis board and of problems. These pages are links and forms; the script only copies a link.
import "./vendor.js";
import "./preferences.js";
import "./bell.js";
import "./copy-link.js";
