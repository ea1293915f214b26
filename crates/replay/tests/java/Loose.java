/** A class without a package, with names that are not ASCII. */
public class Loose {
    Größe größe;

    static class Größe {
        int wert;
        Größe nächste;
    }

    public int wert() {
        return größe.nächste == größe ? größe.wert : -1;
    }
}
