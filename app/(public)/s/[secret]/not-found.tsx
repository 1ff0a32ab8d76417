export { LinkGone as default } from "../../_shared/link-gone";
