"""A client built on the Python standard library, tested against the standalone server."""
import json
import subprocess
import unittest
import urllib.error
import urllib.request


class Workspace:
    def __init__(self, base_url, key):
        self.base_url, self.key = base_url, key

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.base_url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


class WorkspaceTest(unittest.TestCase):
    # `npm test` puts the command on the path; elsewhere, use `npx workspace-api-mock`.
    @classmethod
    def setUpClass(cls):
        command = ["workspace-api-mock", "serve", "--port", "0", "--clock", "manual", "--quiet"]
        cls.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        cls.base_url = next(line.split()[1] for line in cls.server.stdout if line.strip().startswith("API"))
        cls.control = cls.base_url.removesuffix("/v1") + "/__mock"

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait()
        cls.server.stdout.close()

    def setUp(self):
        urllib.request.urlopen(urllib.request.Request(self.control + "/reset", method="POST")).close()
        self.workspace = Workspace(self.base_url, "wm_demo_master")

    def test_reads_the_members(self):
        names = [member["name"] for member in self.workspace.call("GET", "/me")["members"]]
        self.assertEqual(len(names), 5)

    def test_imports_rows(self):
        tables = self.workspace.call("GET", "/datatables")["datatables"]
        empty = next(table["id"] for table in tables if table["row_count"] == 0)
        job_id = self.workspace.call("POST", f"/datatables/{empty}/jobs/insert", {"rows": [{}] * 3000})["job_id"]
        # Each poll advances the manual clock by 500 ms.
        while (job := self.workspace.call("GET", f"/jobs/{job_id}"))["status"] not in ("done", "failed"):
            pass
        self.assertEqual(job["metadata"]["row_count"], 3000)

    def test_a_suspended_key_gets_402(self):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            Workspace(self.base_url, "wm_demo_suspended").call("GET", "/me")
        self.assertEqual(refused.exception.code, 402)
        refused.exception.close()


if __name__ == "__main__":
    unittest.main()
