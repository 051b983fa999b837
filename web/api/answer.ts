// The type of an answer, found by method and address among those that the portal's OpenAPI document promises.

import type { Operations } from '../../client/src/operations.gen.ts';

/** `/api/v2/layers/{id}/` → `/api/v2/layers/{}/`. */
type Unnamed<Path extends string> = Path extends `${infer Head}{${string}}${infer Rest}`
  ? `${Head}{}${Unnamed<Rest>}`
  : Path;

export type Answers = { readonly [Key in keyof Operations as Unnamed<Key>]: Operations[Key]['answer'] };

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type WithoutQuery<Address extends string> = Address extends `${infer Path}?${string}` ? Path : Address;

/** What is only known when the page runs stands for an id or a name. */
type Segment<S extends string> = string extends S ? '{}' : S extends `${number}` ? '{}' : S;

/** `/api/v2/layers/${string}/` → `/api/v2/layers/{}/`. */
type Route<Path extends string> = Path extends `${infer Head}/${infer Rest}`
  ? `${Segment<Head>}/${Route<Rest>}`
  : Segment<Path>;

type AnswerTo<Request extends string> = Request extends keyof Answers ? Answers[Request] : unknown;

/** `unknown` where the document says nothing of the address: such an answer has to be looked at before it is used. */
export type Answer<M extends Method, Address extends string> = Address extends string
  ? AnswerTo<`${M} ${Route<WithoutQuery<Address>>}`>
  : never;
