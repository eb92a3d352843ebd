import { sha256 } from '@noble/hashes/sha2.js'
import { encodeHex, encodeUtf8 } from '../../bytes.ts'
import * as t from '../../codec/t.ts'
import type { DeepReadonly } from '../../organization/state.ts'
import { shownMembers } from '../records.ts'
import { InterfaceType, type SmartContractInterface } from './smart-contract-interfaces.ts'

export const SmartContractInterfaceView = t.named(
  'SmartContractInterface',
  t.fields({
    smartContractInterfaceId: t.Uuid,
    smartContractAddress: t.string,
    smartContractInterface: t.string,
    type: InterfaceType,
    label: t.string,
    notes: t.string,
    ...shownMembers,
  }),
)

/** An interface without its text. */
export const InterfaceReferenceView = t.named(
  'SmartContractInterfaceReference',
  t.fields({ smartContractInterfaceId: t.Uuid, smartContractAddress: t.string, digest: t.string }),
)

/** `digest` is the SHA-256 of the text, in hex. */
export const interfaceReference = ({
  smartContractInterfaceId,
  smartContractAddress,
  smartContractInterface,
}: DeepReadonly<SmartContractInterface>): t.TypeOf<typeof InterfaceReferenceView> => ({
  smartContractInterfaceId,
  smartContractAddress,
  digest: encodeHex(sha256(encodeUtf8(smartContractInterface))),
})
