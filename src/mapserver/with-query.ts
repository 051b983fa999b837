// The address of a service, to which clients add their parameters; it may have one already. Pure.

export const withQuery = (address: string): string => `${address}${address.includes('?') ? '&' : '?'}`;
