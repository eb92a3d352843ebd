import type { Call, Heard, History, Logged } from './history.ts'

/** A small history in which everything is right. Times: sent and heard. */
export const soundHistory: History = {
  log: [
    logged(1, 'genesis', 'created', 'root', ''),
    logged(2, 'genesis', 'completed', undefined, ''),
    logged(3, 'a', 'created', 'ada', ''),
    logged(4, 'b', 'created', 'root', ''),
    logged(5, 'b', 'completed', undefined, 'b'),
    logged(6, 'a', 'approved', 'grace', 'b'),
    logged(7, 'a', 'completed', undefined, 'b a'),
    logged(8, 'c', 'denied', 'alan', 'b a'),
    logged(9, 'd', 'created', 'ada', 'b a'),
    logged(10, 'd', 'rejected', 'grace', 'b a'),
  ],
  calls: [
    submit('ada', 1, 4, 'a', shown('a', 'CONSENSUS_NEEDED', ['ada'])),
    submit('root', 2, 5, 'b', shown('b', 'COMPLETED', ['root'])),
    list('root', 6, 7, 'b'),
    vote('grace', 8, 11, 'a', 'approve', shown('a', 'COMPLETED', ['ada', 'grace'])),
    list('ada', 9, 10, 'b'),
    list('ada', 12, 13, 'b a'),
    submit('alan', 14, 15, 'c', { _tag: 'denied' }),
    submit('ada', 16, 17, 'd', shown('d', 'CONSENSUS_NEEDED', ['ada'])),
    vote('grace', 18, 19, 'd', 'reject', shown('d', 'REJECTED', ['ada', 'grace'])),
    submit('alan', 20, 21, 'e', { _tag: 'refused', code: 'REQUEST_INVALID' }),
    submit('alan', 22, undefined, 'f', undefined),
  ],
}

/** Histories that are broken on purpose, each in one way, by what is wrong with them. */
export const brokenHistories: Readonly<Record<string, History>> = {
  'an acknowledged activity is lost': withLog((log) => renumbered(log.filter(({ activity }) => activity !== 'b'))),
  'an acknowledged completion is lost': withLog((log) => log.filter(({ sequence }) => sequence <= 6)),
  'an acknowledged vote is lost': withLog((log) =>
    renumbered(log.filter(({ event, activity }) => !(activity === 'a' && event === 'approved'))),
  ),
  'a denial is not stored': withLog((log) => renumbered(log.filter(({ activity }) => activity !== 'c'))),
  'a denial turns into a permission': withLog((log) =>
    log.map((one) => (one.activity === 'c' ? { ...one, event: 'created' } : one)),
  ),
  'an activity is created twice': withLog((log) => [...log, logged(11, 'a', 'created', 'ada', 'b a')]),
  'an activity completes twice': withLog((log) => [...log, logged(11, 'b', 'completed', undefined, 'b a')]),
  'a vote comes after the end': withLog((log) => [...log, logged(11, 'a', 'approved', 'alan', 'b a')]),
  'an approval follows a rejection': withLog((log) => [...log, logged(11, 'd', 'approved', 'root', 'b a')]),
  'a user approves twice': withLog((log) => inserted(log, 7, logged(7, 'a', 'approved', 'grace', 'b'))),
  'a stream begins with a vote': withLog((log) => inserted(log, 3, logged(3, 'z', 'approved', 'grace', ''))),
  'the log has a gap': withLog((log) => log.filter(({ sequence }) => sequence !== 8)),
  'what was refused happened': withLog((log) => [...log, logged(11, 'e', 'created', 'alan', 'b a')]),
  'one body made two activities': withCall(1, { heard: shown('x', 'COMPLETED', ['root']) }),
  'an end that nobody reached was told': withCall(0, { heard: shown('a', 'FAILED', ['ada']) }),
  'a voter who did not vote was told': withCall(1, { heard: shown('b', 'COMPLETED', ['root', 'alan']) }),
  'a later call stands before an earlier one': withCall(7, { sentAt: 16, heardAt: 17 }, (log) => {
    const moved = log.filter(({ activity }) => activity === 'd').map((one) => ({ ...one, shows: '' }))
    return renumbered([
      ...log.slice(0, 2),
      ...moved,
      ...log.filter(({ activity, sequence }) => sequence > 2 && activity !== 'd'),
    ])
  }),
  'a list is older than what was acknowledged': withCall(2, { heard: { _tag: 'listed', shown: '' } }),
  'a list shows what never was': withCall(5, { heard: { _tag: 'listed', shown: 'a b' } }),
  'a client sees time run backwards': withCall(5, { heard: { _tag: 'listed', shown: 'b' }, sentAt: 12, heardAt: 13 }),
  'a list shows what was not asked for yet': withCall(4, { heard: { _tag: 'listed', shown: 'b a d' } }),
}

function logged(
  sequence: number,
  activity: string,
  event: Logged['event'],
  user: string | undefined,
  shows: string,
): Logged {
  return { sequence, activity, event, user, shows }
}

function shown(activity: string, status: string, voters: readonly string[]): Heard {
  return { _tag: 'activity', activity, status, voters }
}

function submit(
  client: string,
  sentAt: number,
  heardAt: number | undefined,
  activity: string,
  heard: Heard | undefined,
): Call {
  return { client, sentAt, heardAt, said: { _tag: 'submit', activity, user: client }, heard }
}

function vote(
  client: string,
  sentAt: number,
  heardAt: number,
  activity: string,
  selection: 'approve' | 'reject',
  heard: Heard,
): Call {
  return { client, sentAt, heardAt, said: { _tag: 'vote', activity, user: client, selection }, heard }
}

function list(client: string, sentAt: number, heardAt: number, shows: string): Call {
  return { client, sentAt, heardAt, said: { _tag: 'list' }, heard: { _tag: 'listed', shown: shows } }
}

function withLog(change: (log: readonly Logged[]) => readonly Logged[]): History {
  return { ...soundHistory, log: change(soundHistory.log) }
}

function withCall(index: number, members: Partial<Call>, change = (log: readonly Logged[]) => log): History {
  const calls = soundHistory.calls.map((call, at) => (at === index ? { ...call, ...members } : call))
  return { calls, log: change(soundHistory.log) }
}

function renumbered(log: readonly Logged[]): readonly Logged[] {
  return log.map((one, index) => ({ ...one, sequence: index + 1 }))
}

function inserted(log: readonly Logged[], sequence: number, one: Logged): readonly Logged[] {
  return renumbered([...log.slice(0, sequence - 1), one, ...log.slice(sequence - 1)])
}
