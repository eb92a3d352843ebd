import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { notTooMany } from '../wallet/key-codecs.ts'
import { form, signs } from './raw-payloads.ts'
import { Signature } from './signs-messages.ts'

const Intent = t.fields({ signWith: t.Text, payloads: t.some(t.string), ...form }, {}, ({ payloads }) =>
  notTooMany('payloads', payloads),
)
type Intent = t.TypeOf<typeof Intent>

export const signRawPayloads = operation({
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
  path: 'sign_raw_payloads',
  summary: 'Signs payloads with one key, in their order.',
  intent: Intent,
  result: t.fields({ signatures: t.array(Signature) }),
  ...signs(({ payloads }: Intent) => payloads.map((payload, index) => [`payloads.${index}`, payload] as const)),

  execute: (_, { performed: { signatures } }) => ({ result: { signatures }, change: {} }),
})
