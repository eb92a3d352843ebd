import * as t from '../../codec/t.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { valueOf } from '../../definition/refuse.ts'
import { isBundleWith, signedBundle } from '../bundle/bundle.ts'
import { DAY_SECRETS } from '../deployment-key/day-secrets.ts'
import { publicHalf } from '../deployment-key/deployment-keys.ts'
import { needsKeyring } from '../inside-work.ts'
import { targetBytes, targetOf } from './handle.ts'
import {
  admitCode,
  codeToSend,
  fromWithApp,
  sendCode,
  sendsCode,
  SentCode,
  subjectsOf,
  WithApp,
  WithSeconds,
  type SendsCode,
} from './send-code.ts'

/** Requests of older versions want a code that comes back in plain. */
type Intent = SendsCode & { readonly isPlain?: true }
const isPlain = (intent: Intent): boolean => intent.isPlain === true

const Result = t.fields({ otpId: t.string }, { otpEncryptionTargetBundle: t.string })

export const initOtp = operation({
  type: 'ACTIVITY_TYPE_INIT_OTP_V3',
  path: 'init_otp',
  summary: 'Sends a one-time code to an e-mail address or a telephone.',
  resource: 'OTP',
  action: 'CREATE',
  resultName: 'initOtpResultV2',
  intent: WithSeconds,
  result: Result,
  change: SentCode,
  wire: decodes(WithApp, fromWithApp),
  versions: [
    {
      type: 'ACTIVITY_TYPE_INIT_OTP_V2',
      resultName: 'initOtpResult',
      ...decodes(WithApp, (intent): Intent => ({ ...fromWithApp(intent), isPlain: true })),
    },
    {
      type: 'ACTIVITY_TYPE_INIT_OTP',
      resultName: 'initOtpResult',
      ...decodes(WithSeconds, (intent): Intent => ({ ...intent, isPlain: true })),
    },
  ],
  subjects: (intent, _ids, _activityId, organization) => subjectsOf(intent, organization),
  admit: admitCode,

  check: (intent, context) => ({ ...codeToSend(intent, context), wantsPlain: isPlain(intent) }),

  perform: {
    ...sendsCode,
    needs: { ...sendsCode.needs, ...needsKeyring.needs },
    performed: t.fields({ result: Result, sent: SentCode }),
    run: async ({ wantsPlain, ...toSend }, context) => {
      const { ports } = context
      const { otpId, handle, sent } = await sendCode(toSend, wantsPlain ? 'plain' : 'encrypted', context)
      if (wantsPlain) return { result: { otpId }, sent }
      const signer = valueOf(await publicHalf(ports.keyring, 'verification')())
      const targetPublic = targetOf(targetBytes(ports[DAY_SECRETS], otpId, handle))
      const data = { targetPublic, organizationId: handle.organizationId, userId: '' }
      const otpEncryptionTargetBundle = await signedBundle(ports.keyring, signer, data, 'verification')
      return { result: { otpId, otpEncryptionTargetBundle }, sent }
    },
  },
  needsFor: () => [DAY_SECRETS, 'keyring'],

  verify: async ({ result: { otpEncryptionTargetBundle: bundle } }, intent, { organizationId }) =>
    isPlain(intent)
      ? bundle === undefined
      : bundle !== undefined && isBundleWith(bundle, { organizationId, userId: '' }),

  execute: (_, { performed: { result, sent } }) => ({ result, change: sent }),

  evolve: () => undefined,
})
