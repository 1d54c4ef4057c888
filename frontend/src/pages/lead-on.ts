import { startLeadingOn } from "../lib/lead-on";

startLeadingOn((address) => location.assign(address));
