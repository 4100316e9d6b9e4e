/**
 * Pattern of a base URL, in any letter case: https, or http for this machine; without user name, query and fragment. The
 * credential test evaluates it as an expression, because n8n would show only ENOTFOUND or ERR_INVALID_URL.
 */
export const BASE_URL =
	'^(https:\\/\\/([^\\s\\/?#@:\\[\\]]+|\\[[0-9a-f:.]+\\])|http:\\/\\/(localhost|127(\\.[0-9]{1,3}){3}|\\[::1\\]))(:[0-9]{1,5})?(\\/[^\\s?#]*)?$';

/** Beginnings of a valid base URL. */
export const BASE_URL_BEGINNINGS = ['https://', 'http://localhost', 'http://127.', 'http://[::1]'];
