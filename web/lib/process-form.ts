// A process as the portal describes it → the questions of a form; and the answers → what is sent. Pure.

export type FormInput = {
  readonly name: string;
  /** In English: a language that has its own word for the input shows that. */
  readonly title: string;
  readonly about: string;
  readonly isOptional: boolean;
} & (
  | { readonly kind: 'layers' | 'raster' | 'flag' | 'filter' }
  /** `orTable`: its rows need no places. */
  | { readonly kind: 'layer'; readonly orTable: boolean }
  | { readonly kind: 'number'; readonly minimum: number | undefined; readonly maximum: number | undefined }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'band'; readonly of: string }
  /** `of`: the input whose layer has it. */
  | { readonly kind: 'column'; readonly of: string; readonly isNumber: boolean }
);

export type FormValue = string | boolean | readonly string[];
export type FormValues = Readonly<Record<string, FormValue | undefined>>;

type Described = {
  readonly title: string;
  readonly description: string;
  readonly minOccurs: number;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly 'x-survest': Readonly<Record<string, unknown>>;
};

/** Inputs of a kind that is not known here are left out: the portal says which one it misses. */
export function formInputs(inputs: Readonly<Record<string, Described>>): readonly FormInput[] {
  return Object.entries(inputs).flatMap((entry): readonly FormInput[] => {
    const [name, { title, description, minOccurs, schema, 'x-survest': hint }] = entry;
    const common = { name, title, about: description, isOptional: minOccurs === 0 };
    const { kind } = hint;
    switch (kind) {
      case 'layer':
        return [{ ...common, kind, orTable: hint['table'] === true }];
      case 'layers':
      case 'raster':
      case 'flag':
      case 'filter':
        return [{ ...common, kind }];
      case 'number':
        return [{ ...common, kind, minimum: numberOf(schema['minimum']), maximum: numberOf(schema['maximum']) }];
      case 'choice':
        return [{ ...common, kind, choices: Array.isArray(schema['enum']) ? schema['enum'].map(String) : [] }];
      case 'band':
        return [{ ...common, kind, of: String(hint['of']) }];
      case 'column':
        return [{ ...common, kind, of: String(hint['of']), isNumber: hint['number'] === true }];
      default:
        return [];
    }
  });
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** What nobody has filled in is left out. */
export function sentInputs(inputs: readonly FormInput[], values: FormValues): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    inputs.flatMap(({ name, kind }): readonly (readonly [string, unknown])[] => {
      const value = values[name];
      if (value === undefined || value === '' || value === false) return [];
      if (kind === 'layer' || kind === 'raster' || kind === 'number' || kind === 'band') return [[name, Number(value)]];
      if (kind === 'layers') return [[name, Array.isArray(value) ? value.map(Number) : []]];
      return [[name, value]];
    }),
  );
}

/** What was chosen among the columns or bands of a layer, when that becomes another one. */
export function withoutChoices(inputs: readonly FormInput[], changed: string): FormValues {
  return Object.fromEntries(
    inputs.flatMap((input) => ('of' in input && input.of === changed ? [[input.name, undefined]] : [])),
  );
}

/** Whether everything is answered that has to be. */
export function isComplete(inputs: readonly FormInput[], values: FormValues): boolean {
  return inputs.every(({ name, kind, isOptional }) => {
    const value = values[name];
    if (kind === 'layers') return Array.isArray(value) && value.length > 1;
    if (kind === 'number' && value !== undefined && value !== '' && !Number.isFinite(Number(value))) return false;
    return isOptional || (value !== undefined && value !== '');
  });
}
