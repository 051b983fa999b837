// Passkeys in the browser (@simplewebauthn/browser, loaded when somebody uses one). What the person or the device refuses is undefined.

/** Browsers have them on pages reached by https, and on this machine; keys belong to a name, not to the number of a machine. */
export function canUsePasskeys(): boolean {
  const isNumber = /^[\d.]+$|:/.test(window.location.hostname);
  return window.isSecureContext && 'PublicKeyCredential' in window && !isNumber;
}

export async function makePasskey(options: unknown): Promise<unknown> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return startRegistration({ optionsJSON: options as never }).catch(() => undefined);
}

export async function answerWithPasskey(options: unknown): Promise<unknown> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON: options as never }).catch(() => undefined);
}
