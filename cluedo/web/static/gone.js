// A table that is there no more, or where one has no seat: the start page leads back to it no longer.
import { forgetGame } from "./games.js";

forgetGame(location.pathname);
