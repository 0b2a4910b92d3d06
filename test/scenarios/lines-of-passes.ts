import type { World } from './world.ts'

/** What each line of a pass has to say, and in which form. */
const FIELDS = {
  level: /^(debug|info|warn|error)$/,
  timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  controller: /^\w+$/,
  cluster: /^[a-z0-9][-a-z0-9.]*$/,
  namespace: /^default$/,
  name: /./,
  message: /./,
  generation: /^\d+$/,
  reconcileID: /^\w+-\d+$/,
}

/** Lines of the log that are about these objects, or of a pass, and that leave out what such a line has to say. */
export const unclearLines = ({ log }: Pick<World, 'log'>, about: RegExp): string[] =>
  log.filter((line) => {
    const said: Record<string, unknown> = Object(JSON.parse(line))
    const isMeant = said.controller !== undefined || about.test(line)
    return isMeant && Object.entries(FIELDS).some(([name, form]) => !form.test(String(said[name])))
  })
