import { WAITS } from './moments.ts'
import { lineAt, type Source } from './source.ts'

/** A rule that a regular expression can hold, with what it must refuse and what it must let pass. */
export type Pattern = {
  readonly says: string
  readonly pattern: RegExp
  readonly where?: 'code' | 'comments' | 'text'
  readonly under?: readonly string[]
  readonly except?: readonly string[]
  readonly refuses: readonly string[]
  readonly passes: readonly string[]
}

export const findings = (
  { says, pattern, where = 'code', under, except }: Pattern,
  source: Source,
): readonly string[] => {
  if (under !== undefined && !under.some((path) => source.path.startsWith(path))) return []
  if (except?.some((path) => source.path.startsWith(path)) === true) return []
  return Array.from(
    source[where].matchAll(new RegExp(pattern, 'gm')),
    (match) => `${source.path}:${lineAt(source.text, match.index)} ${says}`,
  )
}

/** What is excepted from a pattern, and needs it no more. */
export const spareExceptions = ({ except = [], ...pattern }: Pattern, all: readonly Source[]): readonly string[] =>
  except
    .filter((entry) => !all.some((one) => one.path.startsWith(entry) && findings(pattern, one).length > 0))
    .map((entry) => `${entry} needs no exception any more: ${pattern.says}`)

export const PATTERNS: readonly Pattern[] = [
  {
    says: 'no default export: names are found again',
    pattern: /\bexport\s+default\b|\bas\s+default\b/,
    refuses: ['export default 1', 'export { a as default }'],
    passes: ['export const a = { default: 1 }'],
  },
  {
    says: 'no any: take unknown and decode it',
    pattern: /(?:[:<|&]|\bas|=>|=)\s*any\b(?!\s*(?:[(:.]|=>))|,\s*any\s*>|\bany\[\]/,
    refuses: ['const a: any = 1', 'f<any>()', 'b as any', 'Map<string, any>', '(x: any[]) => x'],
    passes: ['const a = { any: 1 }', 'any(list)', 'list.map(any)', '// any', 'list.any(f)'],
  },
  {
    says: 'no @ts- comment: mend the type',
    pattern: /@ts-(?:ignore|nocheck|expect-error)/,
    where: 'comments',
    refuses: ['// @ts-ignore', '/* @ts-expect-error later */'],
    passes: ['const a = "@ts-ignore"'],
  },
  {
    says: 'no "as unknown as": decode, or give the type a name',
    pattern: /\bas\s+unknown\s+as\b/,
    except: ['core/definition/steps.ts'], // seals an operation's own types, and says there why that holds
    refuses: ['a as unknown as B'],
    passes: ['a as unknown'],
  },
  {
    says: 'no "!" after a value: say what happens where it is missing',
    pattern: /[\w\])]!(?=[.[(;,)\]}\s:]|$)(?!\s*==?)/,
    refuses: ['a!.b', 'c[0]!', 'd()!, 1', 'let e!: string'],
    passes: ['a !== b', 'if (!a) b', 'a != null', '!!a'],
  },
  {
    says: 'no enum: t.keyof, or a union of literals',
    pattern: /^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+\w/,
    refuses: ['export const enum A { B }', 'enum C { D }'],
    passes: ['const enumerated = 1'],
  },
  {
    says: 'no namespace: a file is one',
    pattern: /^\s*(?:export\s+)?(?:declare\s+)?namespace\s+\w/,
    refuses: ['export namespace A {}'],
    passes: ['const namespace = 1'],
  },
  {
    says: 'fp-ts by its modern names: flatMap and the like, not chain or …W',
    pattern: /\b(?:E|O|TE|RTE)\.(?:chain\w*|\w+W)\b/,
    refuses: ['TE.chain(f)', 'E.flatMapW(f)', 'TE.chainFirst(f)'],
    passes: ['TE.flatMap(f)', 'E.mapLeft(f)', 'a.chain(b)'],
  },
  {
    says: 'no lists of chores in comments: do it, or write it down where work is planned',
    pattern: /\b(?:TODO|FIXME|HACK|XXX)\b/,
    where: 'comments',
    refuses: ['// TODO later', '/* a HACK */'],
    passes: ['const todo = 1 // a to-do list'],
  },
  {
    says: 'a line of more than 160 characters',
    pattern: /^.{161,}$/,
    where: 'text',
    refuses: ['x'.repeat(161)],
    passes: ['x'.repeat(160)],
  },
  {
    says: 'a test runs alone: .only hides the others',
    pattern: /\.only\(/,
    under: ['test/'],
    refuses: [`it.only('a', () => {})`],
    passes: [`it('a', () => {})`],
  },
  {
    says: 'a test waits for a state, never for a time: see test/until.ts',
    pattern:
      /(?<![\w.])(?:setTimeout|setInterval|sleep|pause|delay)\s*\((?!\s*\))|\.setTimeout\(|\bAbortSignal\.timeout\(/,
    under: ['test/'],
    except: Object.keys(WAITS),
    refuses: ['setTimeout(resolve, 5)', 'await sleep(MS)', 'AbortSignal.timeout(1)'],
    passes: ['setImmediate(resolve)', '// setTimeout(f, 1)', `'sleep(1)'`, 'until(f)'],
  },
  {
    says: 'core takes time, randomness and I/O from a port',
    pattern: new RegExp(
      [
        String.raw`(?<![\w$.])(?:process|console|crypto|performance|globalThis)\s*(?:\.|\[)`,
        String.raw`(?<![\w$.])(?:Buffer|setTimeout|setInterval|setImmediate|clearTimeout|clearInterval)\b`,
        String.raw`(?<![\w$.])(?:fetch|require)\(`,
        String.raw`\bDate\.now\b|\bnew Date\b(?:\(\s*\)|(?!\())|(?<!new )\bDate\(|\bMath\.random\b`,
      ].join('|'),
    ),
    under: ['core/'],
    refuses: [
      'const at = Date.now()',
      'new Date()',
      'Math.random()',
      'process.env.A',
      'Buffer.from(a)',
      'setTimeout(f, 1)',
      'globalThis.crypto',
    ],
    passes: [
      'new Date(atMs)',
      'Date.parse(text)',
      'queueMicrotask(f)',
      'new AbortController()',
      'clock.performance.now',
      '// process.env',
    ],
  },
  {
    says: 'a word of the field as a name: event, outcome, intent, request; not matter, happening, fate, asked',
    pattern: /\b(?:matter|happening|fate|fateOf|asked)s?\b|\b(?:Matter|Happening|Fate|Asked)\b/,
    under: ['core/', 'adapters/'],
    refuses: ['const fate = 1', 'f((asked) => asked)', 'type Asked = string', 'f(...asked)', 'fateOf(a)'],
    passes: ['// what somebody asked for', `'asked'`, 'const isAsked = true', 'askedAtMs(1)'],
  },
  {
    says: 'what answers Request and Response does not use Node: only the files for Node do',
    pattern: /(?<![\w$.])(?:Buffer|process)\s*[.(]|\bNodeJS\b/,
    under: ['adapters/http/'],
    except: ['node-exchange', 'paced-reading', 'server'].map((name) => `adapters/http/${name}.ts`),
    refuses: ['Buffer.from(a)', 'process.env', 'let a: NodeJS.Timeout'],
    passes: ['new Uint8Array(1)', '// Buffer', 'setTimeout(f)'],
  },
  {
    says: 'the command prints through print.ts alone, which escapes what somebody else wrote',
    // A member with the name console is something else.
    pattern:
      /\b(?:stdout|stderr|writeSync|emitWarning)\b|(?<!\.)\bconsole\b(?!:)|(?<!\bescaping\()\bpino\.destination\b/,
    under: ['adapters/cli/'],
    // The processes of trials speak to the command alone.
    except: ['print.ts', 'doctor/trial-process.ts', 'doctor/trial-child.ts'].map((name) => `adapters/cli/${name}`),
    refuses: [
      'process.stdout.write(text)',
      'const { stderr } = process',
      'writeSync(2, text)',
      'console.log(text)',
      'const { log } = console',
      'pino(options, pino.destination({ fd: 2 }))',
    ],
    passes: [
      `isTerminal('stdout')`,
      'escaping(pino.destination({ fd: 2 }))',
      'printLines(lines)',
      'serve({ console: options.console })',
    ],
  },
  {
    says: 'a definition needs no fp-ts: it returns values, and throws refusals',
    pattern: /import (?:type )?\{[^}]*\b(?:E|TE|pipe)\b[^}]*\} from[\s\S]*(?<![.\w])(?:operation|query)\(/,
    under: ['core/resources/', 'examples/', 'test/package/'],
    except: ['test/package/host-types/inferred.ts'], // compares types that have an Either
    refuses: [`import { E, pipe } from 'countersign/fp'\nconst a = operation({})`],
    passes: [
      `import { E } from '../../prelude.ts'\nuser.query(a)`,
      `import { query } from 'countersign'\nconst a = query({})`,
    ],
  },
]
