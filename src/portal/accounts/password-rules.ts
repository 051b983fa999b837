// What a new password has to be like. Length is what counts (NIST SP 800-63B); no demands on characters.

const SHORTEST = 8;
const LONGEST = 1024;

/** Undefined: it will do. Sentences for the field's messages. */
export function passwordComplaint(password: string, username: string): string | undefined {
  const length = [...password].length;
  if (length < SHORTEST) return `This password is too short. It must contain at least ${SHORTEST} characters.`;
  if (length > LONGEST) return `Ensure this field has no more than ${LONGEST} characters.`;
  if (password.toLowerCase() === username.toLowerCase()) return 'The password is too similar to the username.';
  return undefined;
}
