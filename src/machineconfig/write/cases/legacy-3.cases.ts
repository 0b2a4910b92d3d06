import type { WrittenCase } from './written-case.cases.ts'

export const legacy3Cases: readonly WrittenCase[] = [
  {
    text: `version: v1alpha1
machine:
  type: worker
  nodeLabels:
    ? aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    : b
    "n": "null"
    "~": ~
    "": empty
    "a: b": "a #b"
    "x\\ty": "\\u0085"
    é: "\\U0001F600"
    1.0: .5
    t: 2001-12-14T21:59:43.10Z
    d: "2001-12-14"
    o: 0o17
    h: 0x1F
    s: " lead"
    e: "trail "
    q: "it's"
    dq: "say \\"x\\""
    bs: "a\\\\b"
    m: "-"
    qm: "? a"
    c: "a:"
    u: 12e03
    b: "b:c"
    p: "%a"
    at: "@a"
    b6: "1:30"
    i: "=x"
    l: "[a]"
    z: "{a}"
    y: "y"
    w: "a, b"
    star: "*a"
    amp: "&a"
    ex: "!a"
    pi: "|"
    gt: ">a"
    dash: "---"
    dots: "...a"
    merge: "<<"
    nl: "\\n"
    crlf: "a\\r\\nb"
    ws: " \\n "
---
# comment
apiVersion: v1alpha1
kind: HostnameConfig
hostname: a
---
---
~
...
---
{apiVersion: v1alpha1, kind: WatchdogTimerConfig, device: /dev/watchdog0, timeout: 1h}
`,
    written: `version: v1alpha1
machine:
    type: worker
    token: ""
    certSANs: []
    nodeLabels:
        "": empty
        "~": ""
        "1.0": ".5"
        'a: b': 'a #b'
        ? aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        : b
        amp: '&a'
        at: '@a'
        b: b:c
        b6: "1:30"
        bs: a\\b
        c: 'a:'
        crlf: "a\\r\\nb"
        d: "2001-12-14"
        dash: '---'
        dots: '...a'
        dq: say "x"
        e: 'trail '
        ex: '!a'
        gt: '>a'
        h: "0x1F"
        i: =x
        l: '[a]'
        m: '-'
        merge: "<<"
        "n": "null"
        nl: "\\n"
        o: "0o17"
        p: '%a'
        pi: '|'
        q: it's
        qm: '? a'
        s: ' lead'
        star: '*a'
        t: "2001-12-14T21:59:43.10Z"
        u: "12e03"
        w: a, b
        ws: " \\n "
        "x\\ty": "\\N"
        "y": "y"
        z: '{a}'
        é: "\\U0001F600"
cluster: null
---
apiVersion: v1alpha1
kind: HostnameConfig
hostname: a
---
apiVersion: v1alpha1
kind: WatchdogTimerConfig
device: /dev/watchdog0
timeout: 1h0m0s
`,
  },
]
