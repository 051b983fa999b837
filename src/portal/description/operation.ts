// An operation as its route describes it → as the document has it, in one language.

import type { Language, Text } from './language.ts';
import { reference, type Schema } from './schema.ts';

export type Operation = Readonly<Record<string, unknown>>;
export type Paths = Record<string, Record<string, unknown>>;

export type Parameter = {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly schema: Schema;
  readonly description?: string | Text;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly style?: 'form';
  readonly explode?: boolean;
};

type Refusal = 400 | 401 | 403 | 404 | 415 | 429;

/** What a route says of itself. */
export type Described = {
  readonly id: string;
  readonly tag: string;
  /** Browsers are sent there: the address has no slash at its end. */
  readonly isForBrowsers?: true;
  readonly summary: Text;
  /** Besides numbers in the path, which the address itself tells. */
  readonly parameters?: readonly Parameter[];
  /** The JSON that is sent, with examples by name. */
  readonly body?: Schema;
  readonly examples?: Readonly<Record<string, unknown>>;
  /** What is sent where it is not JSON, or not only JSON, or may be left out: the content by media type. */
  readonly sent?: { readonly content: Schema; readonly isRequired?: true };
  /** By status; undefined: without a body. */
  readonly answers: Readonly<Record<number, Schema | undefined>>;
  /** By status, of what is not JSON, not only JSON, or refused in another form than usual: the content by media type. */
  readonly contents?: Readonly<Record<number, Schema>>;
  /** Refusals that many routes have. */
  readonly refusals?: readonly Refusal[];
  /** Schemas that others refer to by these names. */
  readonly components?: Readonly<Record<string, Schema>>;
  /** What a status means here: of an answer, or of a refusal that only this route has. */
  readonly says?: Readonly<Record<number, Text>>;
};

export const ANSWER_TEXTS: Readonly<
  Record<'done' | 'wrong' | 'signIn' | 'refused' | 'missing' | 'notJson' | 'tooOften', Text>
> = {
  done: { en: 'Done.', de: 'Erledigt.' },
  wrong: { en: 'Something in the request is wrong.', de: 'Etwas an der Anfrage ist falsch.' },
  signIn: { en: 'Somebody has to sign in first.', de: 'Dafür muss man angemeldet sein.' },
  refused: { en: 'Not allowed to this account.', de: 'Diesem Konto nicht erlaubt.' },
  missing: { en: 'Not there, or not for this account.', de: 'Nicht da, oder nicht für dieses Konto.' },
  notJson: { en: 'The body is not JSON', de: 'Der Inhalt ist kein JSON' },
  tooOften: {
    en: 'Asked too often; `Retry-After` says when again',
    de: 'Zu oft gefragt; `Retry-After` sagt, wann wieder',
  },
};

const REFUSALS: Readonly<Record<Refusal, Text>> = {
  400: ANSWER_TEXTS.wrong,
  401: ANSWER_TEXTS.signIn,
  403: ANSWER_TEXTS.refused,
  404: ANSWER_TEXTS.missing,
  415: ANSWER_TEXTS.notJson,
  429: ANSWER_TEXTS.tooOften,
};

export function describe(
  { id, tag, summary, parameters = [], body, examples, sent, answers, contents, refusals = [], says = {} }: Described,
  path: string,
  language: Language,
): Operation {
  const named = inLanguage([...inPath(path, parameters), ...parameters], language);
  return {
    operationId: id,
    tags: [tag],
    summary: summary[language],
    ...(named.length === 0 ? {} : { parameters: named }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(body, examples) } }),
    ...(sent === undefined
      ? {}
      : { requestBody: { ...(sent.isRequired === true ? { required: true } : {}), content: sent.content } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, schema]) => [
          status,
          {
            description: (says[Number(status)] ?? ANSWER_TEXTS.done)[language],
            ...(schema === undefined ? {} : { content: jsonContent(schema) }),
            ...(contents?.[Number(status)] === undefined ? {} : { content: contents[Number(status)] }),
          },
        ]),
      ),
      ...failures(language, ...refusals),
      ...Object.fromEntries(
        Object.entries(says).flatMap(([status, text]) =>
          status in answers
            ? []
            : [
                [
                  status,
                  {
                    ...refusal(text, 'Detail', language),
                    ...(contents?.[Number(status)] && { content: contents[Number(status)] }),
                  },
                ],
              ],
        ),
      ),
    },
  };
}

export function jsonContent(schema: Schema, examples?: Readonly<Record<string, unknown>>): Schema {
  const named =
    examples === undefined
      ? {}
      : { examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])) };
  return { 'application/json': { schema, ...named } };
}

/** Answers that most requests can get. */
export function failures(language: Language, ...kinds: readonly (Refusal | `${Refusal}`)[]): Operation {
  return Object.fromEntries(
    kinds.map((kind) => [
      kind,
      refusal(
        REFUSALS[kind],
        Number(kind) === 400 ? 'Mistakes' : Number(kind) === 404 ? 'NotFound' : 'Detail',
        language,
      ),
    ]),
  );
}

function refusal(text: Text, schema: string, language: Language): Operation {
  return { description: text[language], content: jsonContent(reference(schema)) };
}

/** Parts of the address that no parameter tells more about are ids. */
function inPath(path: string, told: readonly Parameter[]): readonly Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
    told.some((parameter) => parameter.name === name && parameter.in === 'path') ? [] : [idParameter(name)],
  );
}

function idParameter(name: string): Parameter {
  return { name, in: 'path', schema: { type: 'integer', minimum: 1 } };
}

export function inLanguage(parameters: readonly Parameter[], language: Language): readonly object[] {
  return parameters.map(({ description, ...rest }) => ({
    ...rest,
    ...(rest.in === 'path' ? { required: true } : {}),
    ...(description === undefined
      ? {}
      : { description: typeof description === 'string' ? description : description[language] }),
  }));
}
