/** What a browser takes for an e-mail address; the server looks again. */
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

export const isEmail = (text: string) => text.length <= 255 && EMAIL.test(text.trim());
