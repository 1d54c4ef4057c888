/** What a browser takes for an email address; the server looks again. */
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

export const isEmail = (text: string) => text.length <= 255 && EMAIL.test(text.trim());
