// The message names 'text'.
import { fields, state, t } from 'countersign'

export const mottos = state({
  name: 'mottos',
  version: 1,
  codec: fields({ text: t.string }),
  initial: () => ({ txt: '' }),
})
