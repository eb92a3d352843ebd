import { limits } from '../../definition/limits.ts'

/** The longest text of an interface, in characters: that of the public API. */
export const INTERFACE_LENGTH_MAX = 400_000

export const smartContractInterfaceLimits = limits({
  smartContractInterfaces: {
    default: 50,
    about: `Per organization, each of at most ${INTERFACE_LENGTH_MAX} characters.`,
  },
})
