# The formula for Homebrew. `make release` writes it with address and digest of the sources (docs/release.md).
class Spelunke < Formula
  desc "Three harbour-tavern games in the browser, against people and bots"
  homepage "https://house.example/"
  url "@URL@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "node" => :build
  depends_on "uv" => :build
  depends_on "python@3.13"

  # Versions and hashes of everything that it installs come from constraints.txt. Rules are compiled by Numba, because
  # the sources do not contain compiled ones.
  def install
    python = Formula["python@3.13"].opt_bin/"python3.13"
    system "uv", "venv", "--python", python, libexec
    system "uv", "pip", "install", "--python", libexec/"bin/python", "--constraints", "constraints.txt",
           "--build-constraints", "constraints.txt", ".[jit]"
    bin.install_symlink libexec/"bin/spelunke"
  end

  service do
    run [opt_bin/"spelunke", "serve"]
    keep_alive true
    environment_variables XDG_DATA_HOME: var, XDG_CACHE_HOME: var/"cache"
    log_path var/"log/spelunke.log"
    error_log_path var/"log/spelunke.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/spelunke --version")
    assert_match "shanghaien", shell_output("#{bin}/spelunke games")
  end
end
