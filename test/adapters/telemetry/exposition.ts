/** A sample of the text format: a line that is no comment. */
export type Sample = {
  readonly name: string
  readonly labels: { readonly [name: string]: string }
  readonly value: number
}
export type Family = { readonly type: string; readonly help: string; readonly samples: readonly Sample[] }

const SUFFIXES: { readonly [type: string]: readonly string[] | undefined } = {
  histogram: ['_bucket', '_sum', '_count'],
  counter: [''],
  gauge: [''],
}

/**
 * Reads the text format 0.0.4, strictly: each family once, with help and type before its samples, no line that is
 * something else, no sample twice.
 *
 * @throws where a collector might stumble
 */
export const parseExposition = (text: string): ReadonlyMap<string, Family> => {
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>()
  const seen = new Set<string>()
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line does not end')
  let current: string | undefined
  for (const line of text.split('\n').slice(0, -1)) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/.exec(line) ?? []
    if (kind === 'HELP') {
      if (families.has(name)) throw new Error(`${name} comes twice`)
      families.set(name, { type: '', help: unescaped(rest), samples: [] })
      current = name
    } else if (kind === 'TYPE') {
      const family = families.get(name)
      if (family === undefined || name !== current || family.type !== '' || SUFFIXES[rest] === undefined)
        throw new Error(`TYPE in the wrong place: ${line}`)
      family.type = rest
    } else {
      const sample = sampleOf(line)
      const family = current === undefined ? undefined : families.get(current)
      const isOurs = SUFFIXES[family?.type ?? '']?.some((suffix) => sample.name === `${current}${suffix}`)
      if (family === undefined || isOurs !== true) throw new Error(`sample in the wrong place: ${line}`)
      const identity = JSON.stringify([sample.name, Object.entries(sample.labels).map(String).toSorted()])
      if (seen.has(identity)) throw new Error(`twice: ${line}`)
      seen.add(identity)
      family.samples.push(sample)
    }
  }
  return families
}

const sampleOf = (line: string): Sample => {
  const [, name, list = '', number] =
    /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"(?:,(?=[a-zA-Z_])|(?=\})))+)\})? (\S+)$/.exec(
      line,
    ) ?? []
  if (name === undefined || number === undefined) throw new Error(`no sample: ${line}`)
  const pairs = [...list.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
    ([, label = '', value = '']) => [label, value] as const,
  )
  const labels = Object.fromEntries(pairs.map(([label, value]) => [label, unescaped(value)]))
  if (Object.keys(labels).length !== pairs.length) throw new Error(`a label twice: ${line}`)
  return { name, labels, value: numberOf(number) }
}

const numberOf = (text: string): number => {
  if (text === '+Inf') return Infinity
  if (text === '-Inf') return -Infinity
  if (text === 'NaN') return NaN
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) throw new Error(`no number: ${text}`)
  return Number(text)
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
