"""Receives OTLP over HTTP. Prints its port, then one line of JSON for each message."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

STDOUT_LOCK = threading.Lock()


def attribute_values(attributes):
    return {item.key: getattr(item.value, item.value.WhichOneof("value")) for item in attributes}


def span(resource, item):
    return {
        "node": attribute_values(resource.attributes)["service.instance.id"],
        "resource": attribute_values(resource.attributes),
        "trace_id": item.trace_id.hex(),
        "span_id": item.span_id.hex(),
        "parent_id": item.parent_span_id.hex(),
        "state": item.trace_state,
        "name": item.name,
        "kind": item.kind,
        "start": item.start_time_unix_nano,
        "end": item.end_time_unix_nano,
        "has_failed": item.status.code == 2,
        "attributes": attribute_values(item.attributes),
    }


def log_record(resource, item):
    return {
        "node": attribute_values(resource.attributes)["service.instance.id"],
        "time": item.time_unix_nano,
        "severity": item.severity_text,
        "event": item.event_name,
        "body": item.body.string_value,
        "trace_id": item.trace_id.hex(),
        "span_id": item.span_id.hex(),
        "attributes": attribute_values(item.attributes),
    }


def decode(path, body):
    if path == "/v1/traces":
        message = ExportTraceServiceRequest.FromString(body)
        return {"spans": [span(part.resource, item) for part in message.resource_spans
                          for scope in part.scope_spans for item in scope.spans]}
    if path == "/v1/logs":
        message = ExportLogsServiceRequest.FromString(body)
        return {"logs": [log_record(part.resource, item) for part in message.resource_logs
                         for scope in part.scope_logs for item in scope.log_records]}
    return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        message = decode(self.path, body)
        if message is None or self.headers["content-type"] != "application/x-protobuf":
            self.reply(400)
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        line = {"path": self.path, "headers": headers, "body": body.decode("latin-1"), **message}
        with STDOUT_LOCK:
            print(json.dumps(line), flush=True)
        self.reply(200)

    def reply(self, status):
        self.send_response(status)
        self.send_header("content-type", "application/x-protobuf")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
# Ends with the test, which holds the other end of stdin.
threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
server.serve_forever()
