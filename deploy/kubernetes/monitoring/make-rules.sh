#!/bin/sh
# Makes rules.yaml from deploy/prometheus/alerts.yml, which is the one to edit.
set -eu
cd "$(dirname "$0")"
{
  cat <<'EOF'
# Made by make-rules.sh from deploy/prometheus/alerts.yml: edit that file, then run the script.
# Your Prometheus takes the PrometheusRules that its ruleSelector names; many installations look for a label "release".
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: querymix
  namespace: querymix
  labels: {app.kubernetes.io/name: querymix}
spec:
EOF
  sed -e '/^#/d' -e 's/^\(.\)/  \1/' ../../prometheus/alerts.yml
} >rules.yaml
