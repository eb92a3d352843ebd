import fc from 'fast-check'

/** A megabyte of items, with commas between. */
export const many = (item: (i: number) => string): string => {
  const items: string[] = []
  for (let length = 0; length < 1_000_000; length += (items.at(-1)?.length ?? 0) + 1) items.push(item(items.length))
  return items.join(',')
}

/** JSON in all its spellings: values that may be refused for a member's name or a number's size, and for nothing else. */
export const written = (): fc.Arbitrary<string> =>
  fc.letrec<{ value: string; scalar: string; string: string; array: string; object: string }>((tie) => ({
    string: fc
      .array(
        fc.constantFrom(
          ' ',
          ...String.raw`a b é € 🙂 __proto__ toString 0 \n \/ \\ \" \u0061 \u00e9 \ud83d\ude42`.split(' '),
        ),
        { maxLength: 4 },
      )
      .map((parts) => `"${parts.join('')}"`),
    scalar: fc.oneof(
      fc.constantFrom(
        ...'true false null 0 -0 1e308 1e309 -2E+400 0e999 1.5e-7 123456789012345678 -999999999999999'.split(' '),
      ),
      fc.integer().map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
      tie('string'),
    ),
    array: spaced(fc.array(tie('value'), { maxLength: 4 }), '[', ']'),
    object: spaced(
      fc.array(
        fc
          .tuple(tie('string'), space(), tie('value'))
          .map(([name, between, value]) => `${name}${between}:${between}${value}`),
        {
          maxLength: 4,
        },
      ),
      '{',
      '}',
    ),
    value: fc.oneof({ maxDepth: 4, depthIdentifier: 'json' }, tie('scalar'), tie('array'), tie('object')),
  })).value

const space = (): fc.Arbitrary<string> => fc.constantFrom('', '', ' ', '\n\t', '\r\n ')

const spaced = (items: fc.Arbitrary<string[]>, open: string, close: string): fc.Arbitrary<string> =>
  fc
    .tuple(items, space())
    .map(([found, between]) => `${open}${between}${found.join(`${between},${between}`)}${between}${close}`)

/** Pieces of JSON in any order: little of it is JSON, and much is nearly. */
export const almostJson = (): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(' ', '\n', ...'{ } [ ] : , " "a" "b": "__proto__": {"a": {} []'.split(' ')),
        fc.constantFrom('0', '1', '-', '.', 'e', 'E+', '99999', 'true', 'null', '\u00a0', '\u007f', 'é'),
        fc.constantFrom('\\u00', '61', '\\ud800', '\\udc00', '\\"', '\\', '"'),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''))
