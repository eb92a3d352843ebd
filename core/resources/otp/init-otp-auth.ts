import * as t from '../../codec/t.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { DAY_SECRETS } from '../deployment-key/day-secrets.ts'
import {
  admitCode,
  codeToSend,
  First,
  fromWithApp,
  sendCode,
  sendsCode,
  SentCode,
  subjectsOf,
  WithApp,
  WithKind,
  WithSeconds,
  type SendsCode,
} from './send-code.ts'

const Result = t.fields({ otpId: t.string })

/** What the first version sends, which cannot say how long the code is. */
const FIRST = { otpLength: 6, alphanumeric: false }

export const initOtpAuth = operation({
  type: 'ACTIVITY_TYPE_INIT_OTP_AUTH_V3',
  path: 'init_otp_auth',
  summary: 'Sends a one-time code that gives a user a credential by otp_auth.',
  resource: 'AUTH',
  action: 'CREATE',
  resultName: 'initOtpAuthResultV2',
  intent: WithSeconds,
  result: Result,
  change: SentCode,
  wire: decodes(WithApp, fromWithApp),
  versions: [
    {
      type: 'ACTIVITY_TYPE_INIT_OTP_AUTH_V2',
      resultName: 'initOtpAuthResultV2',
      ...decodes(WithKind, (intent): SendsCode => intent),
    },
    {
      type: 'ACTIVITY_TYPE_INIT_OTP_AUTH',
      resultName: 'initOtpAuthResult',
      ...decodes(First, (intent): SendsCode => ({ ...intent, ...FIRST })),
    },
  ],
  callers: 'own-or-parent',
  paramNames: ['otp_length?'],
  params: ({ otpLength }) => (otpLength === undefined ? {} : { otp_length: otpLength }),
  subjects: (intent, _ids, _activityId, organization) => subjectsOf(intent, organization),
  admit: admitCode,

  check: codeToSend,

  perform: {
    ...sendsCode,
    performed: t.fields({ result: Result, sent: SentCode }),
    run: async (toSend, context) => {
      const { otpId, sent } = await sendCode(toSend, 'auth', context)
      return { result: { otpId }, sent }
    },
  },
  needsFor: () => [DAY_SECRETS],

  execute: (_, { performed: { result, sent } }) => ({ result, change: sent }),

  evolve: () => undefined,
})
