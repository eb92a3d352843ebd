import type { Problem } from './audit-file.ts'
import type { NotKnown } from './known-of-text.ts'

const count = (number: number): string => new Intl.NumberFormat('en').format(number)

const problems: Record<Problem | 'broken', string> = {
  empty: 'The file is empty. Nothing is known about the log.',
  sqlite: 'The file is an SQLite database. Export the log first: countersign export.',
  other: 'The file is no exported log: its first line is no line of one. A compressed export has to be unpacked first.',
  unreadable:
    'The file could not be read to its end; perhaps it was moved, deleted or changed meanwhile. Nothing is known about the log: choose the file again.',
  insecure:
    'This browser verifies signatures only on pages that came over HTTPS, or from this machine. Open the console that way, or run countersign audit.',
  broken:
    'The audit has broken off: it could not be loaded, or the memory was not enough. Load the page again, or run countersign audit.',
}

/** All that people read in the view of the audit; the lines of the report are those of the command line. */
export const auditTexts = {
  title: 'Audit',
  lead:
    'Verifies an exported log in this browser: every chain, stamp, decision and execution. Nothing of the file leaves this page, and no ' +
    'network is needed.',
  file: 'Export',
  fileHint: 'Choose the file that countersign export wrote, or drop it here.',
  chosen: (name: string, bytes: number): string => `${name}, ${count(bytes)} bytes`,
  noFile: 'Choose a file first.',
  known: 'Heads and pins to compare with (optional)',
  knownHint:
    'ORGANIZATION=SEQUENCE:HASH, as an earlier audit gave it; or ORGANIZATION=HASH, as init printed it. Without a head, events may be missing at the end.',
  knownFile: 'Read heads from a file',
  notKnown: (why: NotKnown | 'unreadable'): string => {
    if (why === 'unreadable') return 'The file could not be read, or is too large to be one of heads.'
    if (why === 'file') return 'This is no file of heads: expected what an earlier audit has saved.'
    return `Entry ${why.entry} is neither ORGANIZATION=SEQUENCE:HASH nor ORGANIZATION=HASH.`
  },
  verify: 'Verify',
  cancel: 'Cancel',
  verifying: 'Verifying…',
  cancelled: 'Cancelled. Nothing is known about the log.',
  progress: 'Part of the file that was verified',
  progressLines: (lines: number): string => `${count(lines)} lines read`,
  problems,
  outcome: (findings: number): string => (findings === 1 ? '1 finding' : `${count(findings)} findings`),
  noFindings: 'No findings',
  withoutHead: (organizations: number): string =>
    `${ofOrganizations(organizations)} compared with no head: events may be missing at the end, or be written later.`,
  withoutPin: (organizations: number): string =>
    `${ofOrganizations(organizations)} compared with no pin either: somebody may have made up everything, with keys of their own.`,
  findings: 'Findings',
  firstOf: (shown: number, all: number): string => `The first ${count(shown)} of ${count(all)}.`,
  /** What may be behind findings of a code, on a server that is not as it is by default. */
  hints: {
    OPERATION_UNKNOWN: 'OPERATION_UNKNOWN: operations of a host are verified by countersign audit --resources.',
    BASIS_DIFFERS:
      'BASIS_DIFFERS: this page knows only the default limits; those of the server are given to countersign audit --limits.',
  },
  line: (line: number): string => `line ${line}`,
  sequence: (sequence: string): string => `sequence ${sequence}`,
  organizations: 'Organizations',
  genesis: 'Begins with',
  noGenesis: 'nothing that can be pinned',
  pinned: 'compared with the pin',
  notPinned: 'not compared with a pin',
  end: 'Ends with',
  endText: (hash: string, sequence: string): string => `${hash} at sequence ${sequence}`,
  headCompared: 'compared with a head',
  headNotCompared: 'not compared with a head',
  keep: 'Keep for the next audit',
  saveHeads: 'Save the heads as a file',
  headsFileName: 'heads.json',
  counts: 'What was verified',
  /** What events that are believed may rest on. */
  mayBeMissing: [
    'a revision of an operation in this version',
    'another organization in this transcript',
    'the keys that sign verification tokens (countersign audit --keys)',
    'the packages that read transactions of Solana and Tempo, which this page does not have',
  ],
} as const

const ofOrganizations = (organizations: number): string =>
  organizations === 1 ? '1 organization was' : `${count(organizations)} organizations were`
