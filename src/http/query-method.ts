// The method QUERY: a GET whose question is in its body. Older versions of Node do not read it;
// there, nobody is told that it could be sent.

import { METHODS } from 'node:http';

export const SPEAKS_QUERY: boolean = METHODS.includes('QUERY');

/** The end of a list of methods, for what can be read. */
export const ALSO_QUERY: '' | ',QUERY' = SPEAKS_QUERY ? ',QUERY' : '';
