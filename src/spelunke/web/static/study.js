// The analysis board and the pages of problems: plain links and forms; scripts only copy a link.
import "./vendor.js";
import "./preferences.js";
import "./bell.js";
import "./copy-link.js";
