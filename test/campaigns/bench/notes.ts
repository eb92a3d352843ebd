/** A host's resource for the bench: notes about people, with their text in the line of an event or in a personal part of it. */
import { operation, resource, state, t } from 'countersign'

/** Where the text of a note stands: in the line, in a personal part, or there with the address of the caller in another one. */
export type Place = 'line' | 'part' | 'address'

const Text = t.refined(t.string, 'a text', () => true)

/** One text: nothing grows but the log. */
const latest = state({
  name: 'bench-notes',
  version: 1,
  codec: t.fields({ text: t.string }),
  initial: () => ({ text: '' }),
})

const change = {
  line: t.fields({ userId: t.Uuid, text: Text }),
  part: t.fields({ userId: t.subject(t.Uuid), text: t.personal(Text, '') }),
}

/** The same in all else. */
const noteIn = (place: 'line' | 'part') =>
  operation({
    type: `ACTIVITY_TYPE_NOTE_IN_${place.toUpperCase()}`,
    path: `note_in_${place}`,
    summary: 'Replaces the text about a person.',
    resource: 'NOTE',
    action: 'UPDATE',
    intent: t.fields({ userId: t.Uuid, text: Text }),
    result: t.fields({}),
    change: change[place],
    subjects: ({ userId }) => [userId],
    execute: ({ userId, text }) => ({ result: {}, change: { userId, text } }),
    evolve: (draft, { text }) => {
      latest.in(draft).text = text
    },
  })

export const notes = resource({
  name: 'bench-notes',
  states: [latest],
  operations: [noteIn('line'), noteIn('part')],
})

/** The path of the operation, and its type. */
export const noteOf = (place: Place): { readonly path: string; readonly type: string } => {
  const path = place === 'line' ? 'note_in_line' : 'note_in_part'
  return { path, type: `ACTIVITY_TYPE_${path.toUpperCase()}` }
}
