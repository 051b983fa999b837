// A number in a path, described.

export const idIn = (name: string): object => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer', minimum: 1 },
});
