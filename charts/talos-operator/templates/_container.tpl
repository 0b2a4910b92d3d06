{{- define "talos-operator.args" -}}
- run
- --metrics-bind-address=:{{ .Values.metrics.port }}
- --health-probe-bind-address=:{{ .Values.probes.port }}
{{- with .Values.watchNamespaces }}
- {{ join "," . | printf "--namespaces=%s" | quote }}
{{- end }}
{{- with .Values.machineRefKinds }}
- {{ join "," . | printf "--machine-ref-kinds=%s" | quote }}
{{- end }}
{{- if .Values.tracing.enabled }}
- --enable-tracing=true
- {{ printf "--otlp-endpoint=%s" .Values.tracing.otlpEndpoint | quote }}
{{- end }}
{{- with .Values.extraArgs }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "talos-operator.memory" -}}
{{- get ((.Values.resources | default dict).limits | default dict) "memory" -}}
{{- end }}

{{- /* Five eighths of the limit in MiB: V8 then collects garbage before the kernel kills the process. */ -}}
{{- define "talos-operator.heap" -}}
{{- $memory := include "talos-operator.memory" . -}}
{{- if regexMatch "^[0-9]+Mi$" $memory -}}
{{- div (mul (trimSuffix "Mi" $memory | int) 5) 8 -}}
{{- else if regexMatch "^[0-9]+Gi$" $memory -}}
{{- div (mul (trimSuffix "Gi" $memory | int) 1024 5) 8 -}}
{{- end -}}
{{- end }}

{{- /* Where the volume of results is, too: its mount follows the variable. */ -}}
{{- define "talos-operator.resultsPath" -}}
{{- $path := .Values.results.path -}}
{{- range concat (.Values.env | default list) (.Values.extraEnv | default list) -}}
{{- if eq .name "RESULTS_PATH" -}}
{{- $path = .value | default "" -}}
{{- end -}}
{{- end -}}
{{- if not (hasPrefix "/" $path) -}}
{{- fail "RESULTS_PATH in env or extraEnv needs a value that begins with /, because a volume is mounted there. Better set results.path" -}}
{{- end -}}
{{- $path -}}
{{- end }}

{{- /* What the chart passes as flags: a variable would have no effect, and permissions and ports follow from the values. */ -}}
{{- define "talos-operator.refuseVariables" -}}
{{- $values := include "talos-operator.valuesOfVariables" . | fromYaml -}}
{{- range concat (.Values.env | default list) (.Values.extraEnv | default list) -}}
{{- $value := get $values .name -}}
{{- if and $value (or $.Values.tracing.enabled (not (hasPrefix "tracing." $value))) -}}
{{- fail (printf "%s in env or extraEnv would not do what it says here: set the value %s instead" .name $value) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- /* Each name once, and the last one that has it: the API refuses a list with one twice. */ -}}
{{- define "talos-operator.env" -}}
{{- include "talos-operator.refuseVariables" . -}}
{{- $all := list (dict "name" "POD_NAME" "valueFrom" (dict "fieldRef" (dict "fieldPath" "metadata.name"))) -}}
{{- with include "talos-operator.heap" . -}}
{{- $all = append $all (dict "name" "NODE_OPTIONS" "value" (printf "--max-old-space-size=%s" .)) -}}
{{- end -}}
{{- $all = append $all (dict "name" "RESULTS_PATH" "value" .Values.results.path) -}}
{{- $all = append $all (dict "name" "ENABLE_META_KEY" "value" (toString .Values.featureFlags.enableMetaKey)) -}}
{{- range $name, $value := dict "LOG_LEVEL" .Values.logLevel "LOG_JSON" .Values.logJson "MAX_CONCURRENT_RECONCILES" .Values.maxConcurrentReconciles -}}
{{- if not (kindIs "invalid" $value) -}}
{{- $all = append $all (dict "name" $name "value" (toString $value)) -}}
{{- end -}}
{{- end -}}
{{- $all = concat $all (.Values.env | default list) (.Values.extraEnv | default list) -}}
{{- $last := dict -}}
{{- $names := list -}}
{{- range $all -}}
{{- $names = append $names .name | uniq -}}
{{- $_ := set $last .name . -}}
{{- end -}}
{{- range $names }}
{{ list (get $last .) | toYaml }}
{{- end -}}
{{- end }}
