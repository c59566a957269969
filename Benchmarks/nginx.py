"""Runs nginx as a peer of the server."""

import os
import subprocess
from contextlib import contextmanager

from machine import cores
from processes import free_port, running, wait_until_listening

CONFIGURATION = """\
worker_processes %(workers)d;
pid %(folder)s/pid;
error_log %(folder)s/errors;
daemon off;
%(user)s
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  default_type image/jpeg;
  client_max_body_size 0;
  client_body_temp_path %(folder)s/body;
  proxy_temp_path %(folder)s/proxy;
  fastcgi_temp_path %(folder)s/fastcgi;
  uwsgi_temp_path %(folder)s/uwsgi;
  scgi_temp_path %(folder)s/scgi;
  server { listen 127.0.0.1:%(port)d; root %(folder)s/root; %(directives)s }
}
"""


@contextmanager
def nginx_server(folder, directives=""):
    """Serves the files in `root` of a folder, with further directives of the server. Yields the
    process and its address."""
    (folder / "root").mkdir(parents=True, exist_ok=True)
    port = free_port()
    configuration = folder / "nginx.conf"
    # If root starts nginx, its workers would run as `nobody` and could not read the folder.
    user = "user root;" if os.geteuid() == 0 else ""
    values = {"workers": cores(), "folder": folder, "port": port, "user": user, "directives": directives}
    configuration.write_text(CONFIGURATION % values, encoding="utf-8")
    command = ["nginx", "-p", folder, "-e", folder / "errors", "-c", configuration]
    with running(command, stderr=subprocess.DEVNULL) as process:
        wait_until_listening(port, process)
        yield process, f"http://127.0.0.1:{port}"
