// Whether somebody is told the mail address of an account that is theirs.

/** Whether somebody is told the account's mail address: everybody but a token that may only read and was not given it. As `portal.sees_email` has it. */
export function seesEmail(scope: string | undefined): boolean {
  return scope === undefined || scope.split(' ').some((one) => one === 'write' || one === 'email');
}
