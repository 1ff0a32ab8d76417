// Plain JavaScript, because next.config.mjs imports it as well and no compiler runs before that.

/** Pattern within a media type of JSON, such as application/json or application/problem+json. Forms cannot send one. */
export const JSON_TYPE = "[/+]json";
