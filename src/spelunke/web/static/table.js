// What makes the page of a table live. Comforts only: every page works without them, and none holds a rule or a state of
// a game. All of it is one graph of modules, so it is evaluated as one, before htmx begins (docs/why/browser-scripts.md).
import "./vendor.js";
import "./preferences.js";
import "./morphs.js";
import "./own-order.js";
import "./copy-link.js";
import "./chain.js";
import "./local-times.js";
import "./chance-share.js";
import "./connection.js";
import "./presses.js";
import "./clocks.js";
import "./turn.js";
import "./log.js";
import "./result.js";
import "./news.js";
import "./chat.js";
import "./drag.js";
import "./keys.js";
import "./slides.js";
import "./story.js";
import "./drafts.js";
import "./unfolded.js";
import "./waits.js";
import "./lesson.js";
