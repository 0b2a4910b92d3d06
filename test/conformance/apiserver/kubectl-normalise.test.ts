import { expect, test } from 'vitest'
import { normalisedText } from './kubectl-normalise.ts'

const origin = { id: 'k123456789', server: 'https://127.0.0.1:41995', folder: '/tmp/case-x' }
const shown = (text: string) => normalisedText(text, origin)

test.each([
  ['web   1/1   Running   0   3m12s', 'web  1/1  Running  0  <age>'],
  ['LAST SEEN   TYPE\n5s    Normal', 'LAST SEEN  TYPE\n<age>  Normal'],
  ['namespace: k123456789', 'namespace: <id>'],
  ['  resourceVersion: "1234"', '  resourceVersion: "<rv>"'],
  ['Resource Version:  1234', 'Resource Version:  <rv>'],
  ['uid: 0a1b2c3d-0000-4000-8000-0123456789ab', 'uid: <uid>'],
  ['clusterIP: 10.96.3.4', 'clusterIP: <cluster IP>'],
  ['80:31234/TCP   1s', '80:<port>/TCP  <age>'],
  ['running at https://127.0.0.1:41995', 'running at <server>'],
  ['in /tmp/case-x/a.yaml', 'in <folder>/a.yaml'],
])('%j becomes %j', (text, expected) => {
  expect(shown(text)).toBe(expected)
})

test.each([
  ['timeoutSeconds: 30'],
  ['delay=0s timeout=1s period=10s'],
  ['resourceVersion: "0"'],
  ['replicas: 3'],
  ['    containerPort: 8080'],
  ['2 items, 1 conflict'],
])('%j stays as it is, for it must be equal', (text) => {
  expect(shown(text)).toBe(text)
})
