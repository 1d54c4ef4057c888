/** What a browser accepts as an email address; the server checks it again. */
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

export const isEmail = (text: string) => text.length <= 255 && EMAIL.test(text.trim());
