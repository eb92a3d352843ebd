import * as t from '../../codec/t.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { form, signs } from './raw-payloads.ts'
import { Signature } from './signs-messages.ts'

/** No bytes at all are written `0x`: the wire takes an empty text for a member that is missing. */
const Payload = t.refined(t.string, 'a text of at least one character', (text) => text !== '')

const Intent = t.fields({ signWith: t.Text, payload: Payload, ...form })
type Intent = t.TypeOf<typeof Intent>
const First = t.fields({ privateKeyId: t.Uuid, payload: Payload, ...form })

export const signRawPayload = operation({
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  path: 'sign_raw_payload',
  summary: 'Signs a payload.',
  intent: Intent,
  result: Signature,
  versions: [
    {
      type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD',
      ...decodes(First, ({ privateKeyId, ...payload }) => ({ signWith: privateKeyId, ...payload })),
    },
  ],
  ...signs(({ payload }: Intent) => [['payload', payload]]),

  execute: (_, { performed: { signatures } }) => {
    const [signature] = signatures
    if (signature === undefined) throw refuse('INTERNAL', 'the keyring gave no signature')
    return { result: signature, change: {} }
  },
})
