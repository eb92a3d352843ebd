import { createInterface } from 'node:readline'
import { isTerminal, say } from './print.ts'

/** Whether somebody can be asked: they see standard error, and type on standard input. */
export const canAsk = (): boolean => process.stdin.isTTY && isTerminal('stderr')

/** Asks on the terminal, and waits for a line. Only `yes` is a yes; the end of the input is none. */
export const confirm = async (question: string): Promise<boolean> => {
  say(`${question} Type yes to go on:`)
  const lines = createInterface({ input: process.stdin })
  try {
    for await (const line of lines) return line.trim().toLowerCase() === 'yes'
    return false
  } finally {
    lines.close()
  }
}
