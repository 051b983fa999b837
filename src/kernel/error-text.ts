// What was thrown, as text for the log: an error with its stack, anything else as JSON where it has a form of its own.

export function errorText(error: unknown): string {
  if (error instanceof Error) return error.stack ?? error.message;
  if (typeof error !== 'object' || error === null) return String(error);
  try {
    return JSON.stringify(error);
  } catch {
    // It holds itself, or a number that JSON has not.
    return String(error);
  }
}
