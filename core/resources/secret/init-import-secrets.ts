import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { beginsImport } from '../bundle/begins-import.ts'
import { Bundles, forRequester, shownBundles } from '../bundle/bundle-for.ts'
import { PER_REQUEST_MAX } from '../wallet/key-codecs.ts'
import { EncryptionSuite } from './secrets.ts'

const { toBegin, begun, ...begins } = beginsImport('secret')

const Count = t.refined(t.Integer, `an integer from 1 to ${PER_REQUEST_MAX}`, (n) => n >= 1 && n <= PER_REQUEST_MAX)

export const initImportSecrets = operation({
  type: 'ACTIVITY_TYPE_INIT_IMPORT_SECRETS',
  path: 'init_import_secrets',
  summary: 'Gives its requester keys to which a client encrypts secrets, one for each.',
  resource: 'SECRET',
  intent: t.fields({ encryptionSuite: EncryptionSuite, numSecrets: Count }),
  result: t.fields({ ...forRequester, enclaveTargetMessages: Bundles }),
  ...begins,

  check: ({ numSecrets }, context) => toBegin(context, context.requester, numSecrets),

  execute: (_, context) => {
    const { requesterId, bundles } = context.performed
    return { result: { requesterId, enclaveTargetMessages: bundles }, change: begun(context.requester, context) }
  },

  encodeResult: ({ enclaveTargetMessages }) => ({ enclaveTargetMessages: shownBundles(enclaveTargetMessages) }),
})
